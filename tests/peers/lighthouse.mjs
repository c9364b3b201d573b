// Lighthouse's results for pages, on a desktop: their scores, and the audits that cost them points.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
const [installed, browser, asked] = process.argv.slice(2);
const require = createRequire(`${installed}/`);
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { default: lighthouse, desktopConfig } = await load("lighthouse");
const { launch } = await load("chrome-launcher");
const chrome = await launch({
  chromePath: browser,
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-proxy-server"],
  maxConnectionRetries: 300,
});
const told = {};
try {
  for (const [address, skipAudits] of Object.entries(JSON.parse(asked))) {
    const { lhr } = await lighthouse(
      address,
      {
        port: chrome.port,
        logLevel: "error",
        onlyCategories: ["accessibility", "best-practices", "seo"],
        skipAudits,
        maxWaitForLoad: 120_000,
      },
      desktopConfig,
    );
    const lost = {};
    for (const { auditRefs } of Object.values(lhr.categories)) {
      for (const { id, weight } of auditRefs) {
        const { score, scoreDisplayMode, errorMessage, details } = lhr.audits[id] ?? {};
        const counts = scoreDisplayMode === "error" || (score !== null && score < 1);
        if (weight && counts) lost[id] = errorMessage ?? details?.items ?? score;
      }
    }
    told[address] = {
      scores: Object.values(lhr.categories).map(({ score }) => score && Math.round(score * 100)),
      error: lhr.runtimeError?.message ?? "",
      lost,
    };
  }
} finally {
  chrome.kill();
}
console.log(JSON.stringify(told));
