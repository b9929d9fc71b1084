/**
 * What joins the parts of a summary: 'asked — then: asked last → what came of it Then: where it stopped'.
 * Whoever shortens a summary or asks for a part of it finds the parts by these. Without imports, because the
 * prompt hook needs it.
 */

/** Between the first request and the one that led to the result. */
export const LAST_ASKED = " — then: ";
/** Between a request and its result. */
export const CAME_OUT = " → ";
/** Before what followed from the result. */
export const THEN = "Then: ";
