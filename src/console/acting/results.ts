/** Prints an object's result: a line about the operation, or the object (`-o`). */

import type { JsonObject } from '../../engine/core/object'
import { goJson } from '../../engine/encoding/json-path-template'
import type { Context, FlagValues } from '../command'
import { nameOf, printerOf, withoutManagedFields } from '../output/printer'
import type { Printer } from '../output/printer-type'
import type { DryRun } from './flags'

const SUFFIX: Record<DryRun, string> = {
  none: '',
  client: ' (dry run)',
  server: ' (server dry run)',
}

export class Results {
  private readonly printer: Printer | undefined
  protected readonly output: string
  protected readonly managed: boolean

  /** @param typed members are in type order, as in objects that kubectl creates */
  constructor(
    protected readonly context: Pick<Context, 'out'>,
    flags: FlagValues,
    private readonly dryRun: DryRun = 'none',
    typed = false,
  ) {
    this.output = flags.text('output').toLowerCase()
    this.managed = this.output !== '' && flags.on('show-managed-fields')
    if (this.output !== '')
      this.printer = typed && this.output === 'json' ? typedJson(this.managed) : printerOf(flags)
  }

  get showsObjects(): boolean {
    return this.printer !== undefined
  }

  /** @param done `created`, `configured` … */
  print(object: JsonObject, done: string): void {
    this.context.out(
      this.printer?.print(object) ?? `${nameOf(object)} ${done}${SUFFIX[this.dryRun]}\n`,
    )
  }
}

/** Prints the objects of `-o` together at the end, several as a list, as `apply` does. */
export class ListedResults extends Results {
  private readonly kept: JsonObject[] = []

  override print(object: JsonObject, done: string): void {
    if (this.showsObjects && this.output !== 'name') this.kept.push(object)
    else super.print(object, done)
  }

  /** To be called after success. */
  end(): void {
    const [first, ...more] = this.kept
    if (first === undefined) return
    if (more.length === 0) super.print(first, '')
    else if (this.output === 'json') this.context.out(this.listText())
    else super.print({ apiVersion: 'v1', kind: 'List', metadata: {}, items: this.kept }, '')
  }

  /** The list's members are in type order, its objects' sorted. */
  private listText(): string {
    const items = goJson(
      this.managed ? this.kept : this.kept.map(withoutManagedFields),
      4,
    ).replaceAll('\n', '\n    ')
    return `{\n    "kind": "List",\n    "apiVersion": "v1",\n    "metadata": {},\n    "items": ${items}\n}\n`
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
