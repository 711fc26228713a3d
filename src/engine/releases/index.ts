export { conversionOf } from './conversion'
export type { Conversion } from './conversion-type'
export { type Change, ConversionError, type Converted, convertManifest } from './convert'
export { allVersions, type ServedKind, servedVersions, storageVersionOf } from './discovery'
export {
  type Lifecycle,
  lifecycleOf,
  type Stage,
} from './lifecycle'
export type { NotableChange } from './notable-change'
export {
  ALL_RELEASES,
  compareReleases,
  DEFAULT_RELEASE,
  hasCome,
  parseRelease,
  RELEASES,
  type Release,
  releaseAfter,
} from './release'
export {
  type Removal,
  type Replacement,
  removalOf,
  rowsOfTable,
} from './removals'
