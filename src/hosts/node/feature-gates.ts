/**
 * Parses `--feature-gates` as kube-apiserver since 1.31: `[component:]Name=bool`, with the
 * component `kube` (component-base, `featureGate.Set` and `componentGlobalsRegistry.Set`).
 */
import { goQuote } from '../../engine/schema/go-text'
import { FlagError } from './flags'

/** The values that Go's `strconv.ParseBool` accepts. */
const BOOLEANS = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text): [string, boolean] => [text, true]),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text): [string, boolean] => [text, false]),
])

/** @throws FlagError with kube-apiserver's message */
export function featureGatesIn(texts: readonly string[]): Record<string, boolean> {
  return Object.fromEntries(texts.filter((text) => text !== '').map(gateIn))
}

function gateIn(text: string): [string, boolean] {
  const colon = text.indexOf(':')
  const component = text.slice(0, Math.max(0, colon)).trim()
  if (component !== '' && component !== 'kube')
    throw new FlagError(`component not registered: ${component}`)
  const [name = '', ...rest] = text.slice(colon + 1).split('=')
  const key = name.trim()
  if (rest.length === 0) throw new FlagError(`missing bool value for ${key}`)
  const value = rest.join('=').trim()
  const on = BOOLEANS.get(value)
  if (on !== undefined) return [key, on]
  throw new FlagError(
    `invalid value of ${key}=${value}, err: strconv.ParseBool: parsing ${goQuote(value)}: invalid syntax`,
  )
}
