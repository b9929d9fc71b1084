/** Generates the Homebrew formula and the winget manifest of a release. */
import type { Published } from "./targets.ts";

const ABOUT = "A memory for coding agents, as plain Markdown that you own";

export interface Release {
  readonly version: string;
  /** The address that its files are published under. */
  readonly url: string;
  readonly homepage: string;
  readonly files: readonly Published[];
}

/** `sage.rb`, for the platforms that the release has. */
export function homebrewFormula({ version, url, homepage, files }: Release): string {
  const source = (triple: string, indent: string): string[] => {
    const file = files.find(({ name, target }) => target === triple && name.endsWith(".tar.gz"));
    if (file === undefined) return [];
    return [`${indent}url "${url}/${file.name}"`, `${indent}sha256 "${file.sha256}"`];
  };
  const system = (name: string, arm: string, intel: string): string[] => {
    const parts = [["arm", arm], ["intel", intel]].flatMap(([cpu = "", triple = ""]) => {
      const lines = source(triple, "      ");
      return lines.length === 0 ? [] : [`    on_${cpu} do`, ...lines, "    end"];
    });
    return parts.length === 0 ? [] : [`  on_${name} do`, ...parts, "  end", ""];
  };
  return [
    "class Sage < Formula",
    `  desc "${ABOUT}"`,
    `  homepage "${homepage}"`,
    `  version "${version}"`,
    '  license "MIT"',
    "",
    ...system("macos", "aarch64-apple-darwin", "x86_64-apple-darwin"),
    ...system("linux", "aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"),
    "  def install",
    "    # Where the program cannot carry its data, that lies beside it.",
    '    libexec.install "sage", *Dir["sage-*.assets"]',
    '    bin.install_symlink libexec/"sage"',
    '    man1.install "share/man/man1/sage.1"',
    '    bash_completion.install "share/bash-completion/completions/sage"',
    '    zsh_completion.install "share/zsh/site-functions/_sage"',
    '    fish_completion.install "share/fish/vendor_completions.d/sage.fish"',
    "  end",
    "",
    "  test do",
    '    assert_match version.to_s, shell_output("#{bin}/sage --version")',
    "  end",
    "end",
    "",
  ].join("\n");
}

const WINGET_ID = "Sage.Sage";
const WINGET_SCHEMA = "1.6.0";

/** The three files of a winget manifest, by name; empty if the release has no Windows build. */
export function wingetManifest(release: Release): ReadonlyMap<string, string> {
  const { version, url, homepage, files } = release;
  const file = files.find(({ name }) => name.endsWith(".zip"));
  if (file === undefined) return new Map();
  const of = (type: string, lines: readonly string[]): string =>
    [
      `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${WINGET_SCHEMA}.schema.json`,
      `PackageIdentifier: ${WINGET_ID}`,
      `PackageVersion: ${version}`,
      ...lines,
      `ManifestType: ${type}`,
      `ManifestVersion: ${WINGET_SCHEMA}`,
      "",
    ].join("\n");
  return new Map([
    [`${WINGET_ID}.yaml`, of("version", ["DefaultLocale: en-US"])],
    [
      `${WINGET_ID}.locale.en-US.yaml`,
      of("defaultLocale", [
        "PackageLocale: en-US",
        "Publisher: Sage",
        "PackageName: Sage",
        `PackageUrl: ${homepage}`,
        "License: MIT",
        `ShortDescription: ${ABOUT}`,
      ]),
    ],
    [
      `${WINGET_ID}.installer.yaml`,
      of("installer", [
        "InstallerType: zip",
        "NestedInstallerType: portable",
        "NestedInstallerFiles:",
        "  - RelativeFilePath: sage.exe",
        "    PortableCommandAlias: sage",
        "# The program's data lies beside it: the folder goes on the path, not a link to one file.",
        "ArchiveBinariesDependOnPath: true",
        "Installers:",
        "  - Architecture: x64",
        `    InstallerUrl: ${url}/${file.name}`,
        `    InstallerSha256: ${file.sha256.toUpperCase()}`,
      ]),
    ],
  ]);
}
