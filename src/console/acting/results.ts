/** What an acting command says of an object: that something was done to it, or the object itself (`-o`). */
import type { JsonObject } from '../../engine/object'
import type { Context, FlagValues } from '../command'
import { nameOf, type Printer, printerOf } from '../output/printer'
import type { DryRun } from './flags'

const SUFFIX: Record<DryRun, string> = { none: '', client: ' (dry run)', server: ' (server dry run)' }

export class Results {
  private readonly printer: Printer | undefined

  /** @param typed whether objects come in the order of their types, as those do that kubectl makes by itself */
  constructor(
    private readonly context: Pick<Context, 'out'>,
    flags: FlagValues,
    private readonly dryRun: DryRun = 'none',
    typed = false,
  ) {
    if (flags.text('output') !== '')
      this.printer = typed && flags.text('output') === 'json' ? typedJson(flags.on('show-managed-fields')) : printerOf(flags)
  }

  /** Whether the object itself is printed. */
  get showsObjects(): boolean {
    return this.printer !== undefined
  }

  /** @param done `created`, `configured` … */
  print(object: JsonObject, done: string): void {
    this.context.out(this.printer?.print(object) ?? `${nameOf(object)} ${done}${SUFFIX[this.dryRun]}\n`)
  }
}

function typedJson(managed: boolean): Printer {
  return {
    print(object) {
      const { managedFields: _hidden, ...metadata } = object.metadata as JsonObject
      const shown = managed ? object : { ...object, metadata }
      const text = JSON.stringify(shown, null, 4).replace(
        /[<>&\u2028\u2029]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
      return `${text}\n`
    },
  }
}
