// The HTML pages as a browser shows them: nothing runs, nothing is asked for,
// hostile text is text, and everybody can read them.

import assert from "node:assert/strict";
import axe from "axe-core";
import { compareRuns } from "../lib/evidence/comparison.ts";
import { comparisonReport } from "../lib/evidence/report/comparison_report.ts";
import { runReport } from "../lib/evidence/report/run_report.ts";
import { LAB_WORDS } from "../lib/cli/lab_task_words.ts";
import { startBrowser, type WatchedPage } from "./headless_browser.ts";
import {
  generation,
  HOSTILE,
  REPAIR,
  UNSAFE_CHARACTER,
  viewedRun,
} from "./viewed_run.ts";
import { TOLD_ACQUISITION } from "./told_model.ts";

/** Pages by name: a success, a hostile run, a model's run, two compared. */
async function pages(): Promise<Record<string, string>> {
  using good = await viewedRun(REPAIR);
  using hostile = await viewedRun(HOSTILE, {
    source: "stdio",
    extension: "</p><script>alert(2)</script>\u202e",
  });
  using model = await viewedRun([
    generation(REPAIR[0], { input: 500, output: 12 }),
    generation("```json\n{", {
      input: 612,
      reused: 384,
      output: 128,
      ceiling: true,
    }),
  ], {
    source: "model",
    coreTrial: true,
    model: {
      repository: "a/b",
      files: [{ name: "c", bytes: 1 }],
      threads: 2,
      acquisition: TOLD_ACQUISITION,
    },
    loaded: { elapsed_ms: 5, source_facts: { seed: 0, ids: [1, 2] } },
  });
  const report = (run: typeof good) => runReport(run.view(), "r", LAB_WORDS);
  const [a, b] = [good.view(), hostile.view()];
  return {
    good: report(good),
    hostile: report(hostile),
    model: report(model),
    compared: comparisonReport(
      compareRuns(a, b, LAB_WORDS),
      [{ view: a, folder: "baseline" }, { view: b, folder: "<trial>" }],
      LAB_WORDS,
    ),
  };
}

/** Opens a page's folded parts, as a reader would. */
const UNFOLD = "document.querySelectorAll('details')" +
  ".forEach((details) => details.open = true)";

Deno.test("report pages are inert, quiet and accessible in a browser", async (t) => {
  await using browser = await startBrowser();
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, html] of Object.entries(await pages())) {
      const path = `${folder}/${name}.html`;
      await Deno.writeTextFile(path, html);
      const page = await browser.open(`file://${path}`);
      await page.evaluate(UNFOLD);
      await t.step(
        `${name}: runs nothing and asks for nothing`,
        () => assertInert(page),
      );
      await t.step(`${name}: hides nothing`, () => assertVisible(page));
      await t.step(`${name}: fits a narrow screen`, () => assertNarrow(page));
      await t.step(
        `${name}: has no axe violation, light or dark`,
        () => assertAccessible(page),
      );
      await t.step(
        `${name}: can be used by keyboard`,
        () => assertKeyboard(page),
      );
      await t.step(`${name}: prints on A4`, () => assertPrints(page));
      assert.deepEqual([page.messages, page.requests], [[], []]);
      await t.step(
        `${name}: its policy stops what would run`,
        () => assertPolicy(page),
      );
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function assertInert(page: WatchedPage): Promise<void> {
  const found = await page.evaluate<string[]>(`
    [...document.querySelectorAll("*")].filter((element) =>
      /^(?:script|img|iframe|object|embed|form|input|audio|video|base)$/i
        .test(element.tagName) ||
      [...element.attributes].some(({ name, value }) =>
        /^on|^style$|^srcdoc$/i.test(name) || /^\\s*javascript:/i.test(value))
    ).map((element) => element.outerHTML.slice(0, 200))`);
  assert.deepEqual(found, []);
  const elsewhere = await page.evaluate<string[]>(`
    [...document.querySelectorAll("[href], [src]")]
      .map((element) => element.getAttribute("href") ?? "")
      .filter((address) => !address.startsWith("#") && address !== "data:,")`);
  assert.deepEqual(elsewhere, []);
  const broken = await page.evaluate<string[]>(`
    [...document.querySelectorAll('a[href^="#"]')]
      .map((link) => link.hash.slice(1))
      .filter((id) => document.getElementById(id) === null)`);
  assert.deepEqual(broken, []);
  const double = await page.evaluate<string[]>(`
    [...document.querySelectorAll("[id]")].map(({ id }) => id)
      .filter((id, at, all) => all.indexOf(id) !== at)`);
  assert.deepEqual(double, []);
}

async function assertVisible(page: WatchedPage): Promise<void> {
  const text = await page.evaluate<string>("document.body.textContent");
  const hidden = UNSAFE_CHARACTER.exec(text);
  assert.equal(hidden, null);
}

async function assertNarrow(page: WatchedPage): Promise<void> {
  await page.command("Emulation.setDeviceMetricsOverride", {
    width: 320,
    height: 640,
    deviceScaleFactor: 1,
    mobile: false,
  });
  const [wide, room] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  assert(wide <= room, `${wide} pixels wide in ${room}`);
  await page.command("Emulation.clearDeviceMetricsOverride");
}

async function assertAccessible(page: WatchedPage): Promise<void> {
  await page.evaluate(`${axe.source}; undefined`);
  for (const value of ["light", "dark"]) {
    await page.command("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value }],
    });
    const violations = await page.evaluate<unknown[]>(`
      axe.run(document).then(({ violations }) => violations.map((one) =>
        [one.id, one.nodes.slice(0, 3).map(({ html, failureSummary }) =>
          [html, failureSummary])]))`);
    assert.deepEqual(violations, [], value);
  }
}

async function assertKeyboard(page: WatchedPage): Promise<void> {
  const press = async (key: string, code: number) => {
    const said = { key, code: key, windowsVirtualKeyCode: code };
    await page.command("Input.dispatchKeyEvent", {
      type: "keyDown",
      ...said,
      ...key === "Enter" ? { text: "\r" } : {},
    });
    await page.command("Input.dispatchKeyEvent", { type: "keyUp", ...said });
  };
  const focused = () =>
    page.evaluate<string>(
      "document.activeElement.id || document.activeElement.className || document.activeElement.tagName",
    );
  await press("Tab", 9);
  assert.equal(await focused(), "skip");
  await press("Enter", 13);
  assert.equal(await focused(), "main");
  await press("Tab", 9);
  assert.notEqual(await focused(), "main");
}

async function assertPrints(page: WatchedPage): Promise<void> {
  await page.command("Emulation.setEmulatedMedia", { media: "print" });
  const shown = (selector: string) =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector("${selector}")).display`,
    );
  assert.deepEqual(
    [await shown("nav"), await shown(".skip"), await shown("main")],
    ["none", "none", "block"],
  );
  const { data } = await page.command("Page.printToPDF", {
    preferCSSPageSize: true,
  }) as { data: string };
  const pdf = atob(data);
  assert(pdf.startsWith("%PDF-"));
  const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
    .map((
      [, width, height],
    ) => [Math.round(Number(width)), Math.round(Number(height))]);
  assert(boxes.length > 0);
  // A4 in points.
  for (const box of boxes) assert.deepEqual(box, [595, 842]);
  await page.command("Emulation.setEmulatedMedia", { media: "" });
}

/** What a fault in escaping would let in still couldn't run. */
async function assertPolicy(page: WatchedPage): Promise<void> {
  const ran = await page.evaluate<unknown>(`new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", () => seen++);
    let seen = 0;
    document.body.insertAdjacentHTML("beforeend",
      '<img src="https://example.invalid/" onerror="globalThis.ran = true">');
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
    requestAnimationFrame(() => setTimeout(() =>
      resolve([globalThis.ran ?? false, seen > 0])));
  })`);
  assert.deepEqual(ran, [false, true]);
  // What the policy stops is announced, and never leaves.
  assert.deepEqual(page.requests, ["https://example.invalid/"]);
  assert.deepEqual(page.blocked, ["csp"]);
}
