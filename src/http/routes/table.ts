/** Every route of the API, in the order of the document. */
import type { Route } from "../route.ts";
import { diffCheckpointsRoute, listCheckpointsRoute, saveCheckpointRoute } from "./checkpoints.ts";
import { explainConfigRoute, listConfigRoute, setConfigRoute } from "./config.ts";
import {
  listKnowledgeRoute,
  saveKnowledgeRoute,
  showKnowledgeRoute,
  updateKnowledgeRoute,
} from "./knowledge.ts";
import { listNotesRoute, readNoteRoute, removeNoteRoute } from "./notes.ts";
import {
  backlinksRoute,
  drawGraphRoute,
  linksRoute,
  nearRoute,
  orphansRoute,
  pathRoute,
  queryGraphRoute,
  unresolvedRoute,
} from "./graph.ts";
import { doctorRoute, impactRoute } from "./health.ts";
import { acceptRoute, dropRoute, laterRoute, listInboxRoute } from "./inbox.ts";
import { recallRoute, searchRoute } from "./search.ts";
import { listSessionsRoute, showSessionRoute } from "./sessions.ts";
import { listProjectsRoute, readStatusRoute } from "./status.ts";
import { addTodoRoute, listTodosRoute, updateTodoRoute } from "./todos.ts";
import { listTrashRoute, restoreRemovedRoute } from "./trash.ts";
import {
  archiveRoute,
  listContradictionsRoute,
  listVersionsRoute,
  restoreVersionRoute,
} from "./versions.ts";

export const ROUTES: readonly Route[] = [
  readStatusRoute,
  searchRoute,
  recallRoute,
  listNotesRoute,
  readNoteRoute,
  removeNoteRoute,
  listTrashRoute,
  restoreRemovedRoute,
  listCheckpointsRoute,
  saveCheckpointRoute,
  diffCheckpointsRoute,
  listKnowledgeRoute,
  showKnowledgeRoute,
  saveKnowledgeRoute,
  updateKnowledgeRoute,
  listVersionsRoute,
  restoreVersionRoute,
  archiveRoute,
  listContradictionsRoute,
  listTodosRoute,
  addTodoRoute,
  updateTodoRoute,
  listSessionsRoute,
  showSessionRoute,
  queryGraphRoute,
  drawGraphRoute,
  linksRoute,
  backlinksRoute,
  nearRoute,
  pathRoute,
  orphansRoute,
  unresolvedRoute,
  listInboxRoute,
  acceptRoute,
  laterRoute,
  dropRoute,
  doctorRoute,
  impactRoute,
  listProjectsRoute,
  listConfigRoute,
  explainConfigRoute,
  setConfigRoute,
];
