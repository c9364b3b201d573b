// Count the statements that jsonld.js reads at each address.
import { createRequire } from "node:module";
const require = createRequire(`${process.argv[2]}/`);
const jsonld = require("jsonld");
const counts = {};
for (const address of process.argv.slice(3)) {
  const statements = await jsonld.toRDF(address, {
    documentLoader: jsonld.documentLoaders.node({ secure: false }),
  });
  counts[address] = statements.length;
}
console.log(JSON.stringify(counts));
