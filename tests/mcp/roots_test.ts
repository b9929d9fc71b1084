/** The folders that clients name, as they write them on each system. */
import assert from "node:assert/strict";
import { toPath } from "../../src/mcp/roots.ts";

Deno.test("toPath() reads addresses of files on every system, and no others", () => {
  const paths = {
    "file:///home/me/my%20project/": "/home/me/my project",
    "file://localhost/home/me": "/home/me",
    "file:///": "/",
    "file:///c%3A/Users/me": "C:/Users/me",
    "file:///c:/Users/me/": "C:/Users/me",
    "file:///D:/": "D:/",
    "file:///home/me/100%": "/home/me/100%",
    "file://server/share/a%20b": "//server/share/a b",
    "https://example.org/x": undefined,
    "file:relative": undefined,
  };
  for (const [uri, path] of Object.entries(paths)) assert.equal(toPath(uri), path, uri);
});
