/** The parameters and the answer that all paged lists share. */
import { type Defined, defined } from "../base/defined.ts";
import { z } from "zod";
import type { Page } from "../memory/index/entries.ts";
import type { Memory } from "../memory/memory.ts";
import { defineRoute, done, type Route } from "./route.ts";
import { listOf, page, PAGE_LIMIT, pageOf } from "./shapes.ts";

type Item = { readonly path: string };

export interface ListRoute<Filter extends z.ZodRawShape> {
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly item: z.ZodObject;
  readonly filter: Filter;
  readonly live?: boolean;
  /** Whether it has a `total`, over all pages. */
  readonly counts?: boolean;
  /** At most `limit` items after the cursor; with `total` if the list counts. */
  list(
    memory: Memory,
    filter: Defined<z.output<z.ZodObject<Filter>>> & Page,
  ): Promise<readonly Item[] | { readonly items: readonly Item[]; readonly total: number }>;
}

export function listRoute<Filter extends z.ZodRawShape>(
  { path, name, summary, item, filter, live = false, counts = false, list }: ListRoute<Filter>,
): Route {
  return defineRoute({
    method: "GET",
    path,
    name,
    summary,
    input: z.strictObject({ ...page, ...filter }),
    output: counts ? listOf(item).extend({ total: z.number() }) : listOf(item),
    live,
    async run({ memory, input }) {
      const { limit = PAGE_LIMIT, ...rest } = input as Page & Readonly<Record<string, unknown>>;
      const wanted = defined(rest) as Defined<z.output<z.ZodObject<Filter>>> & Page;
      // One more than is shown, to know whether there is another page.
      const found = await list(memory, { ...wanted, limit: limit + 1 });
      const { items, ...total } = "items" in found ? found : { items: found };
      return done({ ...pageOf(items, limit), ...total });
    },
  });
}
