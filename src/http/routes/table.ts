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
import { recallRoute, searchRoute } from "./search.ts";
import { listSessionsRoute, showSessionRoute } from "./sessions.ts";
import { listProjectsRoute, readStatusRoute } from "./status.ts";
import { addTodoRoute, listTodosRoute, updateTodoRoute } from "./todos.ts";

export const ROUTES: readonly Route[] = [
  readStatusRoute,
  searchRoute,
  recallRoute,
  listNotesRoute,
  readNoteRoute,
  removeNoteRoute,
  listCheckpointsRoute,
  saveCheckpointRoute,
  diffCheckpointsRoute,
  listKnowledgeRoute,
  showKnowledgeRoute,
  saveKnowledgeRoute,
  updateKnowledgeRoute,
  listTodosRoute,
  addTodoRoute,
  updateTodoRoute,
  listSessionsRoute,
  showSessionRoute,
  listProjectsRoute,
  listConfigRoute,
  explainConfigRoute,
  setConfigRoute,
];
