/** Texts recorded from kube-apiserver 1.31. */
import { dnsSubdomain } from './names'

/**
 * @param signer determines the prefix; `''` for none
 * @param prefixOnly a generateName
 */
export function trustBundleNameProblems(
  name: string,
  signer: string,
  prefixOnly: boolean,
): string[] {
  if (signer === '')
    return name.includes(':')
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : dnsSubdomain(name, prefixOnly)
  const prefix = `${signer.replaceAll('/', ':')}:`
  if (!name.startsWith(prefix))
    return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`]
  return dnsSubdomain(name.slice(prefix.length), prefixOnly)
}
