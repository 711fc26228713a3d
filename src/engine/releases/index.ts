/** What releases serve, what they took away, and how objects get from one version to another. */
export { type Conversion, conversionOf } from './conversion'
export { type Change, ConversionError, type Converted, convertManifest } from './convert'
export { allVersions, type ServedKind, servedVersions, storageVersionOf } from './discovery'
export {
  existsIn,
  isOnByDefault,
  type Lifecycle,
  lifecycleOf,
  type Stage,
  stageOf,
} from './lifecycle'
export {
  compareReleases,
  DEFAULT_RELEASE,
  hasCome,
  parseRelease,
  RELEASES,
  type Release,
  releaseAfter,
} from './release'
export {
  type NotableChange,
  type Removal,
  type Replacement,
  removalOf,
  rowsOfTable,
} from './removals'
