/**
 * Credentials for webhooks, from the admission configuration.
 * https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
 */
import { AdmissionConfigurationError, checkKind } from '../../admission/configuration'
import { goQuote } from '../../schema/go-text'
import { YamlSyntaxError } from '../../schema/yaml/reader'
import { credentialsByHost, KubeconfigError } from '../../webhooks/kubeconfig'
import type { PolicyEnvironment } from '../environment'

const GROUP = 'apiserver.config.k8s.io'

/** @throws AdmissionConfigurationError, FileError */
export function withCredentials(environment: PolicyEnvironment, plugin: string): PolicyEnvironment {
  const configuration = environment.configurationOf(plugin)
  const { files } = environment
  if (configuration === undefined || files === undefined) return environment
  if (configuration.apiVersion === `${GROUP}/v1alpha1`)
    checkKind(configuration, [`${GROUP}/v1alpha1`], 'WebhookAdmission')
  else checkKind(configuration, [`${GROUP}/v1`], 'WebhookAdmissionConfiguration')
  const { kubeConfigFile: path = '' } = configuration
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new AdmissionConfigurationError(
      `kubeConfigFile: Invalid value: ${goQuote(String(path))}: must be an absolute file path`,
    )
  try {
    return { ...environment, credentials: credentialsByHost(path, files) }
  } catch (error) {
    if (error instanceof KubeconfigError || error instanceof YamlSyntaxError)
      throw new AdmissionConfigurationError(error.message)
    throw error
  }
}
