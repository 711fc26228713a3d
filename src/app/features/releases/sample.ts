/** Manifests of 1.21: each uses a version that a later release removed. */
export { default as SAMPLE } from './sample.yaml?raw'

export const SAMPLE_RELEASES = { from: '1.21', to: '1.25' } as const
