/**
 * A resource.Quantity as the hash of Pod templates prints it (k8s.io/apimachinery/pkg/api/resource):
 * small numbers by value and scale, others as decimals in billionths.
 */
import { notationOf, parseQuantity, quantityUnits } from '../../schema/quantity'

/** @param text canonical: `500m` */
export function dumpedQuantity(text: string): string {
  const { plain, text: known, format } = notationOf(text)
  const amount = `{value:(int64)${plain?.value ?? 0} scale:(resource.Scale)${plain?.scale ?? 0}}`
  const decimal =
    plain === undefined
      ? `{unscaled:(big.Int)${dumpedInteger(quantityUnits(parseQuantity(text), 9))} scale:(inf.Scale)9}`
      : '<nil>'
  return `{i:(resource.int64Amount)${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)${decimal}} s:(string)${known} Format:(resource.Format)${format}}`
}

function dumpedInteger(value: bigint): string {
  const words: bigint[] = []
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 64n)
    words.push(rest & 0xffff_ffff_ffff_ffffn)
  return `{neg:(bool)${value < 0n} abs:(big.nat)[${words.join(' ')}]}`
}
