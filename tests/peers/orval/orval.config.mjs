// Requests with fetch, with each operation's headers, sent to the server in the description.
export default {
  registry: {
    input: "./registry.json",
    output: {
      target: "./registry.ts",
      client: "fetch",
      headers: true,
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
};
