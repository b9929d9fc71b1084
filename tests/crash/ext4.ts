/**
 * A real file system whose power can be cut: an ext4 image in memory, mounted; its copy while it is in
 * use is what a power cut leaves. Needs root and loop devices.
 */
import { shell } from "./lived.ts";

/** Whether an image can be mounted here; nothing stays mounted. */
export async function canMount(): Promise<boolean> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  const folder = await Deno.makeTempDir({ dir: "/dev/shm", prefix: "sage-ext4-" }).catch(() => "");
  if (folder === "") return false;
  try {
    await makeImage(`${folder}/probe`, 4);
    await Deno.mkdir(`${folder}/at`);
    await mount(`${folder}/probe`, `${folder}/at`);
    await shell("umount", `${folder}/at`);
    return true;
  } catch {
    return false;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

export async function makeImage(path: string, megabytes: number): Promise<void> {
  await shell("truncate", "-s", `${megabytes}M`, path);
  await shell("mkfs.ext4", "-q", "-F", path);
}

export async function mount(image: string, at: string): Promise<void> {
  await shell("mount", "-o", "loop", image, at);
}

/** An image that is mounted at `at`, until it is closed. */
export class PowerDisk {
  readonly at: string;
  readonly #base: string;
  #image = 0;

  private constructor(base: string, at: string) {
    this.#base = base;
    this.at = at;
  }

  static async open(megabytes: number): Promise<PowerDisk> {
    const base = await Deno.makeTempDir({ dir: "/dev/shm", prefix: "sage-power-" });
    // The program may not read below /dev, so the image is mounted elsewhere.
    const disk = new PowerDisk(base, await Deno.makeTempDir({ prefix: "sage-power-" }));
    await makeImage(disk.#path, megabytes);
    await mount(disk.#path, disk.at);
    return disk;
  }

  /** What is on the image in this moment is all that is left, at the same place. */
  async cut(): Promise<void> {
    const before = this.#path;
    this.#image++;
    await shell("cp", "--sparse=always", before, this.#path);
    await shell("umount", this.at);
    await Deno.remove(before);
    await mount(this.#path, this.at);
  }

  async close(): Promise<void> {
    await shell("umount", this.at);
    await Deno.remove(this.#base, { recursive: true });
    await Deno.remove(this.at);
  }

  get #path(): string {
    return `${this.#base}/image${this.#image}`;
  }
}
