// A program registers a namespace with the client that openapi-generator generated.
import {
  AskedPathEnum,
  Configuration,
  NamespacesApi,
  RequestsApi,
  RequestStepVerbEnum,
  TemplateInputFromJSON,
  type StepInput,
} from "./registry/index.js";

declare const process: { argv: string[] };

interface Input {
  site: string;
  tokens: { author: string; lead: string; expert: string; registrar: string };
  expert: string;
  template: object;
}

const input = JSON.parse(process.argv[2] ?? "") as Input;

function actAs(accessToken: string): RequestsApi {
  return new RequestsApi(new Configuration({ basePath: input.site, accessToken }));
}

async function take(
  client: RequestsApi,
  reference: string,
  verb: RequestStepVerbEnum,
  stepInput: StepInput,
) {
  const read = await client.readRequestRaw({ reference });
  const ifMatch = read.raw.headers.get("ETag") ?? "";
  return client.requestStep({ reference, verb, ifMatch, stepInput });
}

const author = actAs(input.tokens.author);
const started = await author.requestStart({
  startInput: {
    path: AskedPathEnum.Community,
    organization: "Northlight Seed Vault Federation",
    nid: "seedbank",
    summary: "Accessions held by federated seed vaults",
    standardsAction: false,
  },
});
const reference = started.reference.toLowerCase();
const draft = await author.readDraftRaw({ reference });
const { edition } = await author.draftWrite({
  reference,
  ifMatch: draft.raw.headers.get("ETag") ?? "",
  patchedDraftInput: { template: TemplateInputFromJSON(input.template) },
});
await take(author, reference, RequestStepVerbEnum.Submit, { edition });
await take(actAs(input.tokens.lead), reference, RequestStepVerbEnum.Assign, { expert: input.expert });
const unanswered = "The text answers them.";
const expert = actAs(input.tokens.expert);
await take(expert, reference, RequestStepVerbEnum.Declare, {});
await take(expert, reference, RequestStepVerbEnum.Approve, { comment: "Sound.", unanswered });
const done = await take(
  actAs(input.tokens.registrar),
  reference,
  RequestStepVerbEnum.Register,
  { references: ["A specification"], confirmation: "seedbank" },
);
const anybody = new NamespacesApi(new Configuration({ basePath: input.site }));
const namespace = await anybody.readNamespace({ nid: "SEEDBANK" });
console.log(JSON.stringify([done.state, namespace.nid, namespace.version, namespace.registrant]));
