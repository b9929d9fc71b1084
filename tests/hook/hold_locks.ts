/**
 * A process that holds every lock below a folder, missing ones made, until it is killed: for tests that
 * freeze it. Says so on stdout once it has them.
 */
const [folder = ""] = Deno.args;
const stripes = [..."0123456789abcdef"].map((stripe) => `${folder}/state-${stripe}.lock`);
const stores = [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory)
  .map(({ name }) => `${folder}/${name}/store.lock`);
const held = [...stripes, ...stores].map((path) => {
  const file = Deno.openSync(path, { read: true, write: true, create: true });
  file.lockSync(true);
  return file;
});
await Deno.stdout.write(new TextEncoder().encode(`${held.length}\n`));
await new Promise((resolve) => setTimeout(resolve, 600_000));
