/** Names of entries that hold a secret: in a project's files they are ignored and reported. */

const SECRET = /(?:^|[._-])(?:api_?key|secret|token|password|passphrase|credentials?)$/i;

export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

export function secretIgnored(name: string): string {
  return `"${name}" is a secret and is ignored: keys belong in your own config.yaml`;
}
