import { connections } from './connections'
import { lines } from './console'
import { expressions } from './expressions'
import { frames } from './frames'
import { json } from './json'
import { negotiation } from './negotiation'
import { lessons, links } from './page'
import { patches } from './patches'
import { protobuf } from './protobuf'
import { schemas } from './schemas'
import { jsonPath, selectors } from './selectors'
import type { FuzzTarget } from './target'
import { files, yaml } from './yaml'

/** Everything that reads what others wrote; HTTP as a whole has a fuzzer of its own (fuzz.ts). */
export const TARGETS: readonly FuzzTarget[] = [
  json,
  yaml,
  files,
  protobuf,
  patches,
  schemas,
  selectors,
  jsonPath,
  expressions,
  negotiation,
  links,
  lessons,
  frames,
  connections,
  lines,
]
