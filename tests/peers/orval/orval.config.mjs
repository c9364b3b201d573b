// Requests by fetch, with the headers that each operation has, sent to where the description says.
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
