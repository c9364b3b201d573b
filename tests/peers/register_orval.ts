// A program registers a namespace with the client that orval generated.
import {
  draftWrite,
  readDraft,
  readNamespace,
  readRequest,
  requestStart,
  requestStep,
  type StepInput,
  type TemplateInput,
} from "./registry.js";

declare const process: { argv: string[] };

type Verb = Parameters<typeof requestStep>[1];
interface Input {
  tokens: { author: string; lead: string; expert: string; registrar: string };
  expert: string;
  template: TemplateInput;
}

const input = JSON.parse(process.argv[2] ?? "") as Input;

function actAs(token: string): RequestInit {
  return { headers: { Authorization: `Bearer ${token}` } };
}

function refuse(answer: { data: unknown }): never {
  throw new Error(JSON.stringify(answer.data));
}

async function take(who: RequestInit, reference: string, verb: Verb, body: StepInput) {
  const read = await readRequest(reference, {}, who);
  const seen = read.headers.get("ETag") ?? "";
  const done = await requestStep(reference, verb, { "If-Match": seen }, body, who);
  return done.status === 200 ? done.data : refuse(done);
}

const author = actAs(input.tokens.author);
const question = {
  path: "community",
  organization: "Northlight Seed Vault Federation",
  nid: "seedbank",
  summary: "Accessions held by federated seed vaults",
  standards_action: false,
} as const;
const started = await requestStart(question, {}, author);
const reference = (started.status === 201 ? started.data : refuse(started)).reference.toLowerCase();
const draft = await readDraft(reference, author);
const seen = { "If-Match": draft.headers.get("ETag") ?? "" };
const written = await draftWrite(reference, seen, { template: input.template }, author);
const { edition } = written.status === 200 ? written.data : refuse(written);
await take(author, reference, "submit", { edition });
await take(actAs(input.tokens.lead), reference, "assign", { expert: input.expert });
const unanswered = "The text answers them.";
const expert = actAs(input.tokens.expert);
await take(expert, reference, "approve", { comment: "Sound.", unanswered });
const done = await take(actAs(input.tokens.registrar), reference, "register", {
  references: ["A specification"],
  confirmation: "seedbank",
});
const read = await readNamespace("SEEDBANK");
const namespace = read.status === 200 ? read.data : refuse(read);
console.log(JSON.stringify([done.state, namespace.nid, namespace.version, namespace.registrant]));
