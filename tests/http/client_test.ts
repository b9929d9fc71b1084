/** The generated client against the real server: types are the compiler's to check, answers are here. */
import assert from "node:assert/strict";
import { createClient, SageProblem } from "../../clients/typescript/sage_client.ts";
import { hasBinary } from "../support/sage.ts";
import { tempDir } from "../support/temp_store.ts";
import { serveProcess } from "./server.ts";

Deno.test({
  name: "a program keeps, finds, changes and removes a note, and is told when it lost a race",
  ignore: !hasBinary,
  async fn() {
    const home = tempDir();
    await Deno.mkdir(`${home}/project/.git`, { recursive: true });
    await using server = await serveProcess({ home, cwd: `${home}/project` });
    const sage = createClient(server);
    const { data: kept } = await sage.saveKnowledge({
      title: "Gateway",
      content: "Envoy is the gateway, because it reloads without dropping connections.",
    });
    const also = ["hot reload", "drops no request"];
    const { data: found } = await sage.search({ query: "reload without dropping", also, limit: 3 });
    assert.deepEqual(found.items.map(({ id }) => id), [kept.id]);
    const { data: { note }, etag } = await sage.showKnowledge(kept.id);
    assert.equal(note.author, "agent");
    const change = { title: note.title, content: `${note.content} Port 8443.` };
    await sage.updateKnowledge(kept.id, change, etag);
    await assert.rejects(
      sage.updateKnowledge(kept.id, { ...change, content: "Too late." }, etag),
      (error) => error instanceof SageProblem && error.problem.status === 412,
    );
    const { etag: latest } = await sage.readNote(kept.id);
    const { data: removed } = await sage.removeNote(kept.id, latest);
    assert.equal(removed.outcome, "removed");
    assert.deepEqual((await sage.listNotes()).data.items, []);
  },
});
