/** The libraries of the API server, each with the release that introduced it. */
import { ADDRESSES } from './addresses'
import { AUTHORIZERS } from './authorizer'
import { NAMED_FORMATS } from './formats'
import type { Library } from './library'
import { LISTS } from './lists'
import { OPTIONALS } from './optionals'
import { QUANTITIES } from './quantities'
import { REGULAR_EXPRESSIONS } from './regular-expressions'
import { SETS } from './sets'
import { STRINGS } from './strings'
import { URLS } from './urls'

/** Minor releases of version 1. */
const INTRODUCED: readonly [release: number, library: Library][] = [
  [23, STRINGS],
  [23, LISTS],
  [23, REGULAR_EXPRESSIONS],
  [23, URLS],
  [27, AUTHORIZERS],
  [28, OPTIONALS],
  [28, QUANTITIES],
  [29, SETS],
  [30, ADDRESSES],
  [31, NAMED_FORMATS],
]

/** Returns the libraries of a release. */
export const librariesOf = (release: number): readonly Library[] =>
  INTRODUCED.flatMap(([introduced, library]) => (introduced <= release ? library : []))
