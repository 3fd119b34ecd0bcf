// Lab Part 10, question 1: harness properties that a run's events show. A
// property that no event shows is not claimed.

import { events } from "./markdown.ts";
import type { SubmittedEvent, SubmittedRun } from "./submitted_run.ts";

/** One property, with the events that show it. */
export interface ObservedProperty {
  readonly property: string;
  /** Markdown. */
  readonly evidence: string;
}

/** The properties that a run's events show. */
export function observedProperties(
  run: SubmittedRun,
): readonly ObservedProperty[] {
  return OBSERVERS.flatMap((observe) => observe(run) ?? []);
}

type Observer = (run: SubmittedRun) => ObservedProperty | null;

const OBSERVERS: readonly Observer[] = [
  (run) => {
    const { enforced } = run;
    const denied = Object.entries(enforced)
      .filter(([, answer]) => answer === "denied").map(([probe]) => probe);
    return denied.length === 0 ? null : {
      property: "The controller could not leave its room",
      evidence:
        `${denied.length} of ${Object.keys(enforced).length} attempts ` +
        `denied before the first proposal (manifest, \`enforced\`)`,
    };
  },
  (run) => {
    const read = firstSuccess(
      run,
      "read",
      (observation) => observation["file"] === "toy_math.py",
    );
    const edit = run.events.find(({ event }) => event === "edit_intent");
    return read === undefined || edit === undefined ||
        read.eventId > edit.eventId
      ? null
      : {
        property: "The source was read before the first edit",
        evidence: `read ${events(run, read.eventId)}, first intent ` +
          events(run, edit.eventId),
      };
  },
  (run) => {
    const receipts = ofType(run, "edit_committed");
    const pairs = receipts.flatMap((receipt) => {
      const intent = ofType(run, "edit_intent").findLast(({ eventId }) =>
        eventId < receipt.eventId
      );
      return intent?.content["after"] === receipt.content["sha256"]
        ? [[intent!, receipt] as const]
        : [];
    });
    return pairs.length === 0 ? null : {
      property: "Each commit had a write-ahead intent with the same digest",
      evidence: pairs.map(([intent, receipt]) =>
        `intent ${events(run, intent.eventId)} → receipt ${
          events(run, receipt.eventId)
        }`
      ).join("; "),
    };
  },
  (run) => {
    const denials = run.events.filter(({ event, content }) =>
      event === "observation_made" && content["counts"] === "invalid"
    );
    const changed = denials.filter((denial) =>
      ofType(run, "edit_committed").some((receipt) =>
        receipt.proposalNumber === denial.proposalNumber
      )
    );
    return denials.length === 0 || changed.length > 0 ? null : {
      property: "No denial changed source or version",
      evidence: `${denials.length} denials, none with a receipt: ` +
        events(run, ...denials.map(({ eventId }) => eventId)),
    };
  },
  (run) => {
    const finish = firstSuccess(run, "finish");
    const test = run.events.findLast(({ event, content, eventId }) => {
      const observation = observationOf({ event, content });
      return observation?.["action"] === "test" &&
        observation["ok"] === true && eventId < (finish?.eventId ?? 0);
    });
    const tested = test === undefined ? null : observationOf(test);
    return finish === undefined || tested === null ||
        tested["sha256"] !== observationOf(finish)?.["sha256"] ||
        tested["passed"] !== tested["total"]
      ? null
      : {
        property: "The finish was accepted for the exact bytes that had passed",
        evidence: `test ${events(run, test?.eventId)}, finish ` +
          events(run, finish.eventId),
      };
  },
  (run) => {
    const refused = run.events.find((one) =>
      observationOf(one)?.["error"] === "tests_not_passing"
    );
    return refused === undefined ? null : {
      property: "A finish without a passing test was refused",
      evidence: events(run, refused.eventId),
    };
  },
  (run) => {
    const still = run.events.find((one) =>
      observationOf(one)?.["status"] === "no_change"
    );
    return still === undefined ? null : {
      property: "An identical replacement changed nothing",
      evidence: events(run, still.eventId),
    };
  },
  (run) => {
    const omitted = ofType(run, "observations_omitted");
    return omitted.length === 0 ? null : {
      property: "Compaction left out older observations, each on record",
      evidence: events(run, ...omitted.map(({ eventId }) => eventId)),
    };
  },
  (run) => {
    const changed = ofType(run, "file_changed");
    return changed.length === 0 ? null : {
      property: "A file changed from outside was noticed, not adopted",
      evidence: events(run, ...changed.map(({ eventId }) => eventId)),
    };
  },
  (run) => {
    const stopped = ofType(run, "loop_stopped").at(-1);
    const evaluated = ofType(run, "final_evaluation").at(-1);
    return stopped === undefined || evaluated === undefined ? null : {
      property: "Stop reason and final evaluation were recorded apart",
      evidence: `stop ${events(run, stopped.eventId)}, evaluation ` +
        events(run, evaluated.eventId),
    };
  },
  (run) =>
    run.source === "model" || run.final?.["model_calls"] !== 0 ? null : {
      property: "No model was called",
      evidence: "`model_calls` is 0 in `final.json`",
    },
];

/** The observation of an event; null for an event of another type. */
export function observationOf(
  { event, content }: Pick<SubmittedEvent, "event" | "content">,
): SubmittedEvent["content"] | null {
  return event === "observation_made"
    ? content["observation"] as SubmittedEvent["content"]
    : null;
}

function ofType({ events }: SubmittedRun, type: string): SubmittedEvent[] {
  return events.filter(({ event }) => event === type);
}

function firstSuccess(
  { events }: SubmittedRun,
  action: string,
  also: (observation: SubmittedEvent["content"]) => boolean = () => true,
): SubmittedEvent | undefined {
  return events.find((one) => {
    const observation = observationOf(one);
    return observation?.["ok"] === true && observation["action"] === action &&
      also(observation);
  });
}
