import { ANNOTATION } from '../../../engine/core/names'
import type { JsonObject } from '../../../engine/core/object'
import {
  DRY_RUN_FLAG,
  dryRunOf,
  fieldManagerFlag,
  SAVE_CONFIG_FLAG,
  VALIDATE_FLAG,
  writeQuery,
} from '../../acting/flags'
import { Results } from '../../acting/results'
import { pathWith } from '../../client'
import { printedBy } from '../../client-release'
import type { Command, Context, Flag, Invocation } from '../../command'
import { pathOf } from '../../discovery'
import { CommandError, StatusError } from '../../errors'
import { CREATE_MANAGER } from '../../managers'
import { OUTPUT_FLAGS } from '../../output/printer'

export interface Generator {
  name: string
  aliases?: readonly string[]
  /** One sentence. */
  summary: string
  usage: string
  example: string
  flags: readonly Flag[]
  /** `deployments.apps` */
  resource: string
  /** The kind in "failed to create configmap"; without it, the server's message stays unchanged. */
  called?: string
  /** Checked before the name. */
  required?: readonly string[]
  /** Whether arguments may follow the name or `--`. */
  takesCommand?: boolean
  /** Whether the object contains the namespace of `-n`. */
  namespaced: boolean
  /**
   * Builds all but `metadata.namespace`, in type order; the metadata has a name.
   * @throws CommandError for invalid flags
   */
  build(made: Making): JsonObject | Promise<JsonObject>
}

export interface Making {
  name: string
  /** The arguments after the name or after `--`. */
  command: readonly string[]
  context: Context
  invocation: Invocation
}

const COMMON: readonly Flag[] = [
  DRY_RUN_FLAG,
  fieldManagerFlag(CREATE_MANAGER),
  ...OUTPUT_FLAGS,
  SAVE_CONFIG_FLAG,
  VALIDATE_FLAG,
]

export function generated(generator: Generator, parent = 'create'): Command {
  return {
    name: generator.name,
    ...(generator.aliases === undefined ? {} : { aliases: generator.aliases }),
    summary: generator.summary,
    usage: `${parent} ${generator.usage}`,
    examples: [{ line: `kubectl ${generator.example}`, about: generator.summary }],
    flags: [...generator.flags, ...COMMON],
    run: (context, invocation) => make(generator, context, invocation),
  }
}

async function make(
  generator: Generator,
  context: Context,
  invocation: Invocation,
): Promise<number> {
  const { args, beforeDashes, flags, path } = invocation
  requireFlags(invocation, generator.required ?? [])
  const names = generator.takesCommand ? args.slice(0, beforeDashes ?? args.length) : args
  if (names.length !== 1 && !(generator.takesCommand && names.length > 1)) {
    throw new CommandError(
      `exactly one NAME is required, got ${names.length}\nSee '${path} -h' for help and examples`,
    )
  }
  const [name = '', ...rest] = args
  const dryRun = dryRunOf(flags, context)
  // Rejects an invalid -o before any request.
  const results = new Results(context, flags, dryRun, true)
  const built = await generator.build({ name, command: rest, context, invocation })
  const object =
    generator.namespaced && context.namespaceGiven ? placed(built, context.namespace) : built
  await createTyped(
    context,
    invocation,
    generator.resource,
    object,
    dryRun,
    'created',
    results,
  ).catch((error: unknown) => {
    const { called } = generator
    throw called !== undefined && error instanceof StatusError
      ? new CommandError(`failed to create ${called} ${error.message}`)
      : error
  })
  return 0
}

/** Inserts the namespace after the name, as in the type. */
function placed(object: JsonObject, namespace: string): JsonObject {
  const { name, ...metadata } = object.metadata as JsonObject
  return { ...object, metadata: { name: name ?? null, namespace, ...metadata } }
}

/** --dry-run=client only prints the object. */
export async function createTyped(
  context: Context,
  { flags }: Invocation,
  type: string,
  object: JsonObject,
  dryRun: ReturnType<typeof dryRunOf>,
  done = 'created',
  results = new Results(context, flags, dryRun, true),
): Promise<void> {
  const sent = flags.on('save-config') ? withConfiguration(object) : object
  if (dryRun === 'client') {
    results.print(printedBy(await context.discovery.version(), sent), done)
    return
  }
  const resource = await context.discovery.find(type)
  const path = pathWith(pathOf(resource, context.namespace), writeQuery(flags, dryRun))
  const { json } = await context.client.send({ method: 'POST', path, body: sent })
  results.print(json, done)
}

/** Adds the last-applied annotation. */
function withConfiguration(object: JsonObject): JsonObject {
  const metadata = object.metadata as JsonObject
  const annotations = {
    ...(metadata.annotations as JsonObject | undefined),
    [ANNOTATION.lastApplied]: `${JSON.stringify(object)}\n`,
  }
  return { ...object, metadata: { ...metadata, annotations } }
}

/** Metadata of an unstored object, as its type prints it. */
export const newMetadata = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  creationTimestamp: null,
  ...more,
})

/** @throws CommandError for a missing flag */
function requireFlags({ flags }: Invocation, names: readonly string[]): void {
  const missing = names.filter((name) => !flags.has(name))
  if (missing.length > 0)
    throw new CommandError(
      `required flag(s) ${missing.map((name) => JSON.stringify(name)).join(', ')} not set`,
    )
}
