import { changesOf } from '../../release-tables/changes'
import { minorOf } from '../../release-tables/minor'
import type { QuotedNames } from '../syntax/literal-parser'
import { ADDRESSES } from './addresses'
import { AUTHORIZER_SELECTORS, AUTHORIZERS } from './authorizer'
import { TWO_VARIABLES } from './comprehensions'
import { NAMED_FORMATS } from './formats'
import type { Library } from './library'
import { LIST_EXTENSION } from './list-extension'
import { LISTS } from './lists'
import { OPTIONAL_LISTS } from './optional-lists'
import { OPTIONALS } from './optionals'
import { QUANTITIES } from './quantities'
import { REGULAR_EXPRESSIONS } from './regular-expressions'
import { SEMANTIC_VERSIONS } from './semantic-versions'
import { CHANGED_FUNCTIONS, STRICT_DURATIONS } from './server-changes'
import { SETS } from './sets'
import { STRINGS } from './strings'
import { URLS } from './urls'

interface Introduced {
  /** The compatibility version, in minor releases. */
  since: number
  library: Library
  /**
   * The first server, if later: cel-go extended a library without version, or its feature gate was
   * off.
   */
  server?: number
}

/** k8s.io/apiserver, pkg/cel/environment/base.go. */
const INTRODUCED: readonly Introduced[] = [
  { since: 23, library: STRINGS },
  { since: 23, library: LISTS },
  { since: 23, library: REGULAR_EXPRESSIONS },
  { since: 23, library: URLS },
  { since: 27, library: AUTHORIZERS },
  { since: 28, library: OPTIONALS },
  { since: 28, library: QUANTITIES },
  { since: 29, library: SETS },
  { since: 30, library: ADDRESSES },
  { since: 31, library: NAMED_FORMATS },
  // Feature gate AuthorizeWithSelectors.
  { since: 31, library: AUTHORIZER_SELECTORS, server: 32 },
  { since: 32, library: TWO_VARIABLES },
  { since: 33, library: SEMANTIC_VERSIONS },
  { since: 28, library: OPTIONAL_LISTS, server: 33 },
  { since: 0, library: CHANGED_FUNCTIONS, server: 33 },
  { since: 34, library: LIST_EXTENSION },
  { since: 0, library: STRICT_DURATIONS, server: 37 },
]

/** Earlier servers have its libraries. */
const OLDEST = 31

const serverOf = (release: string): number => Math.max(minorOf(release), OLDEST)

/** The version that expressions may use. */
const versionOf = (release: string, use: 'new' | 'stored'): number =>
  serverOf(release) - (use === 'new' ? 1 : 0)

/**
 * Stored expressions may use all libraries, new ones only the previous release's.
 * @param release `1.35`
 */
export function librariesOf(release: string, use: 'new' | 'stored'): readonly Library[] {
  const server = serverOf(release)
  const version = versionOf(release, use)
  return INTRODUCED.flatMap(({ since, library, server: first = 0 }) =>
    since <= version && first <= server ? library : [],
  )
}

/** cel-go parses backquoted names since 1.33, and accepts them since 1.37. */
export function quotedNamesIn(release: string): QuotedNames {
  if (changesOf(release).has('QuotedNamesAccepted')) return 'supported'
  return minorOf(release) >= 33 ? 'unsupported' : 'unknown'
}

/** Reserved words are fields since 1.31 (k8s.io/apiserver, pkg/cel/environment/environment.go). */
export const hasKeywordFields = (release: string, use: 'new' | 'stored'): boolean =>
  versionOf(release, use) >= 31
