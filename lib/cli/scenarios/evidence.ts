// A scenario also proves that its evidence holds: the records of the run, read
// as a stranger would, give the same final report again.

import type { JsonObject } from "../../agent/json.ts";
import { AuditFinding, AuditReader } from "../../evidence/audit_reader.ts";
import { canonicalJson } from "../../evidence/audit_record.ts";
import { AUDIT_NAME } from "../../evidence/audit_writer.ts";
import {
  FINAL_NAME,
  finalBytes,
  finalReport,
} from "../../evidence/final_report.ts";
import { runIdentity } from "../../evidence/manifest.ts";
import { readManifest } from "../../evidence/read_manifest.ts";
import { rederive, type TaskEvidence } from "../../evidence/rederive.ts";
import type { LabTask } from "../../lab/lab_task.ts";
import { openWorkspace } from "../../lab/workspace.ts";
import { diskFiles } from "../../system/files.ts";
import { labEvidence } from "../lab_evidence.ts";

/** A run that has ended. */
export interface EndedRun {
  readonly folder: string;
  /** The final report that the run returned. */
  readonly final: JsonObject;
  /** Synthetic observations that the task was given before its first request. */
  readonly observations: readonly JsonObject[];
}

/** What the records of a run don't bear out, a sentence each. */
export async function findEvidenceFaults(run: EndedRun): Promise<string[]> {
  const evidence = evidenceWith(run);
  const { manifest, digest } = readManifest(diskFiles, run.folder);
  const identity = runIdentity(manifest);
  const audit = diskFiles.open(`${run.folder}/${AUDIT_NAME}`);
  try {
    const reader = new AuditReader(
      audit,
      identity.runId,
      evidence.catalogue,
      { head: digest, count: 0 },
    );
    const derived = await rederive(reader, identity, evidence);
    switch (derived.kind) {
      case "ended_early":
        return ["the audit ends before the run does"];
      case "diverged": {
        const { found, expected } = derived.divergence;
        return [
          `record ${found?.event_id} (${found?.event}) doesn't follow from ` +
          `the facts before it: ${JSON.stringify(expected)}`,
        ];
      }
      case "complete": {
        const again = finalReport(derived.final, { audit: reader.head });
        const published = Deno.readTextFileSync(`${run.folder}/${FINAL_NAME}`);
        return [
          ...(reader.tail?.kind === "clean" ? [] : ["the audit has a tail"]),
          ...(canonicalJson(again) === canonicalJson(run.final)
            ? []
            : ["the final report doesn't follow from the audit"]),
          ...(published === new TextDecoder().decode(finalBytes(run.final))
            ? []
            : [`${FINAL_NAME} isn't the final report`]),
        ];
      }
    }
  } catch (error) {
    if (!(error instanceof AuditFinding)) throw error;
    return [`line ${error.line} of the audit: ${error.message}`];
  } finally {
    audit.close();
  }
}

/** The lab's task, given the synthetic observations again. */
function evidenceWith({ folder, observations }: EndedRun): TaskEvidence {
  const evidence = labEvidence(openWorkspace(diskFiles, folder));
  return {
    ...evidence,
    replay: (recorder, gate) => {
      const task = evidence.replay(recorder, gate);
      for (const observation of observations) {
        (task as unknown as LabTask).injectObservation(observation);
      }
      return task;
    },
  };
}
