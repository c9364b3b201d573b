// A program registers a namespace, knowing only the types from the API's description.
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./registry.js";

declare const process: { argv: string[] };

type Step = paths["/api/v1/requests/{reference}/verbs/{verb}/"]["post"];
type Verb = Step["parameters"]["path"]["verb"];
type Said = NonNullable<Step["requestBody"]>["content"]["application/json"];
type Written = NonNullable<
  paths["/api/v1/requests/{reference}/draft/"]["patch"]["requestBody"]
>["content"]["application/json"];
interface Input {
  site: string;
  tokens: { author: string; lead: string; expert: string; registrar: string };
  expert: string;
  template: NonNullable<Written["template"]>;
}

const input = JSON.parse(process.argv[2] ?? "") as Input;

function actAs(token: string): Client<paths> {
  const headers = { Authorization: `Bearer ${token}` };
  return createClient<paths>({ baseUrl: input.site, headers });
}

function need<T>(value: T | undefined, error: unknown): T {
  if (value === undefined) throw new Error(JSON.stringify(error));
  return value;
}

async function take(client: Client<paths>, reference: string, verb: Verb, body: Said) {
  const read = await client.GET("/api/v1/requests/{reference}/", { params: { path: { reference } } });
  const seen = read.response.headers.get("ETag") ?? "";
  const { data, error } = await client.POST("/api/v1/requests/{reference}/verbs/{verb}/", {
    params: { path: { reference, verb }, header: { "If-Match": seen } },
    body,
  });
  return need(data, error);
}

const author = actAs(input.tokens.author);
const started = await author.POST("/api/v1/requests/", {
  body: {
    path: "community",
    organization: "Northlight Seed Vault Federation",
    nid: "seedbank",
    summary: "Accessions held by federated seed vaults",
    standards_action: false,
  },
});
const reference = need(started.data, started.error).reference.toLowerCase();
const where = { path: { reference } };
const draft = await author.GET("/api/v1/requests/{reference}/draft/", { params: where });
const written = await author.PATCH("/api/v1/requests/{reference}/draft/", {
  params: { ...where, header: { "If-Match": draft.response.headers.get("ETag") ?? "" } },
  body: { template: input.template },
});
const edition = need(written.data, written.error).edition;
await take(author, reference, "submit", { edition });
await take(actAs(input.tokens.lead), reference, "assign", { expert: input.expert });
const unanswered = "The text answers them.";
const expert = actAs(input.tokens.expert);
await take(expert, reference, "approve", { comment: "Sound.", unanswered });
const done = await take(actAs(input.tokens.registrar), reference, "register", {
  references: ["A specification"],
  confirmation: "seedbank",
});
const anybody = createClient<paths>({ baseUrl: input.site });
const { data, error } = await anybody.GET("/api/v1/namespaces/{nid}/", {
  params: { path: { nid: "SEEDBANK" } },
});
const namespace = need(data, error);
console.log(JSON.stringify([done.state, namespace.nid, namespace.version, namespace.registrant]));
