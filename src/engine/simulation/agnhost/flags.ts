/** Flags of agnhost, as github.com/spf13/pflag reads them. */
import { entryOf, setMember } from '../../core/object'

/** Defaults by name, which also decide the type. */
export type Flags = Readonly<Record<string, string | number | boolean>>

export type Parsed<Known extends Flags> = {
  -readonly [Name in keyof Known]: Known[Name] extends number
    ? number
    : Known[Name] extends boolean
      ? boolean
      : string
}

/** @returns the values and the operands, or the error message */
export function flagsOf<Known extends Flags>(
  args: readonly string[],
  known: Known,
): { values: Parsed<Known>; operands: string[] } | string {
  const values: Record<string, string | number | boolean> = { ...known }
  const operands: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--') return done(values, [...operands, ...args.slice(at + 1)])
    if (!word.startsWith('-') || word === '-') {
      operands.push(word)
      continue
    }
    const [name = '', ...rest] = word.replace(/^--?/, '').split('=')
    const type = typeof entryOf(known, name)
    if (type === 'undefined') return `unknown flag: --${name}`
    const given = rest.length > 0 ? rest.join('=') : type === 'boolean' ? 'true' : args[++at]
    if (given === undefined) return `flag needs an argument: --${name}`
    if (type === 'number' && !/^[+-]?\d{1,15}$/.test(given))
      return `invalid argument "${given}" for "--${name}" flag: strconv.ParseInt: parsing "${given}": invalid syntax`
    setMember(
      values,
      name,
      type === 'number' ? Number(given) : type === 'boolean' ? given === 'true' : given,
    )
  }
  return done(values, operands)
}

const done = <Known extends Flags>(values: object, operands: string[]) => ({
  values: values as Parsed<Known>,
  operands,
})

/** The value of a flag of agnhost. */
export function flagIn(flags: readonly string[], flag: string): string | undefined {
  const at = flags.findIndex(
    (word) => flag !== '' && (word === flag || word.startsWith(`${flag}=`)),
  )
  if (at < 0) return undefined
  return flags[at] === flag ? flags[at + 1] : flags[at]?.slice(flag.length + 1)
}
