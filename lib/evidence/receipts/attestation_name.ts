/** Name of the signed statement in a run's folder, where there is one. */
export const ATTESTATION_NAME = "attestation.json";
