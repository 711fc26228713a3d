/**
 * The import rules of the layers, as data for scripts/check-imports.ts. The table lists
 * the lowest layer first, and a layer imports only earlier ones, so the table contains no cycle.
 */

export interface Layer {
  name: string
  /** Directories (ending with `/`) and files below src/. The longest match decides. */
  paths: string[]
  /** Layers that it may import in addition to itself. */
  imports: string[]
  /** Packages that it may import: `*` for any. Type-only imports count too. */
  packages: string[]
  /** Whether only engine/core/environment.ts gives it a clock, randomness and host APIs. */
  pure: boolean
}

/** Layers that the whole engine may import: names, types of objects, requests and errors. */
const WORDS = ['foundation', 'vocabulary']

const engine = (
  name: string,
  paths: string[],
  imports: string[],
  packages: string[] = [],
): Layer => ({
  name,
  paths,
  imports,
  packages,
  pure: true,
})
const outer = (name: string, paths: string[], imports: string[]): Layer => ({
  name,
  paths,
  imports,
  packages: ['*'],
  pure: false,
})

/**
 * What the page may import. It uses the API over HTTP, and shares only the type model (completion,
 * explain), the wire encodings, the format of token files, and the evaluation of CEL expressions and
 * policies.
 */
const PAGE = [
  'foundation',
  'causality',
  'vocabulary',
  'schema',
  'generated',
  'releases',
  'encoding',
  'authentication',
  'cel',
  'inspection',
  'policy-test',
  'hosts',
  'lessons',
  'console',
  'repair',
]

export const LAYERS: Layer[] = [
  engine(
    'foundation',
    [
      'engine/core/',
      'engine/schema/go-number.ts',
      'engine/schema/go-text.ts',
      'engine/time/',
      'engine/release-tables/changes.ts',
      'engine/release-tables/changes/',
      'engine/release-tables/minor.ts',
      'engine/controllers/names.ts',
    ],
    [],
  ),
  engine(
    'vocabulary',
    [
      'engine/http/header-text.ts',
      'engine/http/messages.ts',
      'engine/http/status.ts',
      'engine/core/outbound.ts',
    ],
    ['foundation'],
  ),
  engine('generated', ['engine/generated/', 'engine/release-tables/'], ['foundation']),
  engine('schema', ['engine/schema/'], [...WORDS, 'generated'], ['yaml']),
  engine('storage', ['engine/storage/'], ['foundation']),
  engine('causality', ['engine/causality/'], ['foundation', 'storage']),
  engine('validation', ['engine/validation/'], [...WORDS, 'schema']),
  engine('selectors', ['engine/selectors/'], [...WORDS, 'validation']),
  engine('simulation', ['engine/simulation/'], [...WORDS, 'schema', 'validation', 'selectors']),
  engine('releases', ['engine/releases/'], [...WORDS, 'generated', 'schema', 'validation']),
  engine(
    'encoding',
    ['engine/encoding/'],
    [...WORDS, 'generated', 'schema', 'storage', 'selectors', 'releases'],
    ['yaml', 'fflate'],
  ),
  engine('patch', ['engine/patch/'], [...WORDS, 'schema']),
  engine('apply', ['engine/apply/'], [...WORDS, 'schema', 'patch']),
  engine('cel', ['engine/cel/'], [...WORDS, 'schema', 'validation']),
  engine('webhooks', ['engine/webhooks/'], [...WORDS, 'schema', 'validation']),
  engine(
    'authentication',
    ['engine/authentication/'],
    [...WORDS, 'schema', 'storage', 'validation', 'encoding', 'cel', 'webhooks'],
  ),
  engine(
    'authorization',
    ['engine/authorization/'],
    [...WORDS, 'authentication', 'cel', 'schema', 'storage', 'selectors', 'validation', 'webhooks'],
  ),
  engine(
    'flow-control',
    ['engine/flow-control/'],
    [...WORDS, 'generated', 'storage', 'authentication'],
  ),
  engine(
    'admission',
    ['engine/admission/'],
    [
      ...WORDS,
      'releases',
      'authentication',
      'authorization',
      'schema',
      'storage',
      'selectors',
      'validation',
      'patch',
      'cel',
    ],
  ),
  engine(
    'policy',
    ['engine/policy/'],
    [
      ...WORDS,
      'admission',
      'apply',
      'authentication',
      'authorization',
      'schema',
      'storage',
      'selectors',
      'validation',
      'patch',
      'cel',
      'webhooks',
    ],
  ),
  engine(
    'telemetry',
    ['engine/telemetry/'],
    [
      ...WORDS,
      'encoding',
      'authentication',
      'authorization',
      'flow-control',
      'schema',
      'validation',
      'webhooks',
    ],
  ),
  engine(
    'aggregation',
    ['engine/aggregation/'],
    [...WORDS, 'schema', 'encoding', 'authentication', 'webhooks'],
  ),
  engine(
    'registry',
    ['engine/registry/'],
    [
      ...WORDS,
      'simulation',
      'causality',
      'webhooks',
      'aggregation',
      'generated',
      'schema',
      'storage',
      'validation',
      'selectors',
      'cel',
      'releases',
      'encoding',
      'patch',
      'apply',
      'authentication',
      'authorization',
      'admission',
      'policy',
      'telemetry',
      'flow-control',
    ],
  ),
  engine(
    'kinds',
    ['engine/kinds/'],
    [
      ...WORDS,
      'webhooks',
      'aggregation',
      'generated',
      'schema',
      'storage',
      'validation',
      'selectors',
      'cel',
      'releases',
      'encoding',
      'patch',
      'apply',
      'authentication',
      'authorization',
      'admission',
      'policy',
      'telemetry',
      'flow-control',
      'registry',
    ],
  ),
  engine('inspection', ['engine/inspection/'], [...WORDS, 'validation', 'cel', 'policy', 'kinds']),
  engine(
    'extensions',
    ['engine/extensions/'],
    [
      ...WORDS,
      'generated',
      'schema',
      'storage',
      'validation',
      'encoding',
      'cel',
      'webhooks',
      'registry',
      'kinds',
    ],
  ),
  engine(
    'controllers',
    ['engine/controllers/'],
    [
      ...WORDS,
      'causality',
      'generated',
      'aggregation',
      'webhooks',
      'schema',
      'storage',
      'simulation',
      'validation',
      'selectors',
      'encoding',
      'cel',
      'authentication',
      'admission',
      'flow-control',
      'policy',
      'registry',
      'kinds',
    ],
  ),
  engine(
    'http',
    ['engine/http/'],
    [
      ...WORDS,
      'causality',
      'aggregation',
      'generated',
      'schema',
      'storage',
      'simulation',
      'validation',
      'selectors',
      'releases',
      'encoding',
      'patch',
      'apply',
      'authentication',
      'authorization',
      'admission',
      'flow-control',
      'telemetry',
      'registry',
      'kinds',
    ],
  ),
  engine('repair', ['engine/repair/'], [...WORDS, 'schema', 'cel', 'telemetry']),
  engine('server', ['engine/server/'], ['*']),
  engine(
    'policy-test',
    ['policy-test/'],
    [
      'foundation',
      'vocabulary',
      'generated',
      'releases',
      'schema',
      'storage',
      'telemetry',
      'server',
    ],
    ['yaml'],
  ),
  outer(
    'package',
    ['package/'],
    ['foundation', 'generated', 'schema', 'storage', 'server', 'policy-test'],
  ),
  engine(
    'console',
    ['console/'],
    [
      ...WORDS,
      'causality',
      'schema',
      'validation',
      'selectors',
      'encoding',
      'patch',
      'admission',
      'authorization',
    ],
    ['yaml', 'diff'],
  ),
  outer('persistence', ['persistence/'], ['foundation', 'storage']),
  outer('etcd', ['hosts/node/etcd/'], ['foundation', 'storage', 'encoding']),
  outer('lessons', ['lessons/'], ['foundation', 'schema']),
  outer(
    'hosts',
    ['hosts/'],
    [
      'foundation',
      'causality',
      'vocabulary',
      'telemetry',
      // Patterns of CORS origins use the engine's matcher of regular expressions.
      'schema',
      'generated',
      'releases',
      'authentication',
      'authorization',
      'storage',
      'server',
      'policy-test',
      'persistence',
      'etcd',
      'lessons',
    ],
  ),
  outer(
    'command-line',
    ['command-line/'],
    [
      'foundation',
      'vocabulary',
      'generated',
      'releases',
      'schema',
      'encoding',
      'server',
      'policy-test',
      'package',
      'hosts',
    ],
  ),
  // Layers of the page, lowest first.
  outer('state', ['app/state/'], PAGE),
  outer('components', ['app/components/'], [...PAGE, 'state']),
  outer('commands', ['app/commands/'], [...PAGE, 'state', 'components']),
  outer('features', ['app/features/'], [...PAGE, 'state', 'components', 'commands']),
  outer('app', ['app/'], [...PAGE, 'state', 'components', 'commands', 'features']),
]

/** Packages with types that every layer may import. */
export const TYPE_PACKAGES = ['kubernetes-types']

/**
 * Modules whose types every pure layer may import (`import type`), because a running server passes
 * such values through all layers. Importing their code follows the table.
 */
export const SHARED_TYPES = [
  'engine/registry/engine.ts',
  'engine/registry/request-context.ts',
  'engine/telemetry/trace.ts',
  'engine/telemetry/policy-findings.ts',
]
