/** The admission plugins of this layer, by their name in the chain. */
import type { OtherPlugins } from '../admission/plugins'
import type { PolicyEnvironment } from './environment'
import { validatingAdmissionPolicy } from './plugin'
import { mutatingAdmissionWebhook } from './webhooks/mutating'
import { validatingAdmissionWebhook } from './webhooks/validating'

export const POLICY_PLUGINS: OtherPlugins<PolicyEnvironment> = {
  MutatingAdmissionWebhook: mutatingAdmissionWebhook,
  ValidatingAdmissionPolicy: validatingAdmissionPolicy,
  ValidatingAdmissionWebhook: validatingAdmissionWebhook,
}
