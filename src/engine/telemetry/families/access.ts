import { counter, DEFAULT_BUCKETS, exponential, gauge, histogram } from './family'

export const ACCESS_FAMILIES = {
  apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds: gauge(
    'ALPHA',
    'Timestamp of the last automatic reload of authentication configuration split by status and apiserver identity.',
    ['apiserver_id_hash', 'status'],
  ),
  apiserver_authentication_config_controller_automatic_reloads_total: counter(
    'ALPHA',
    'Total number of automatic reloads of authentication configuration split by status and apiserver identity.',
    ['apiserver_id_hash', 'status'],
  ),
  apiserver_authentication_jwt_authenticator_latency_seconds: histogram(
    'ALPHA',
    'Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
    ['jwt_issuer_hash', 'result'],
    [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ),
  apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds: gauge(
    'ALPHA',
    'Timestamp of the last automatic reload of authorization configuration split by status and apiserver identity.',
    ['apiserver_id_hash', 'status'],
  ),
  apiserver_authorization_config_controller_automatic_reloads_total: counter(
    'ALPHA',
    'Total number of automatic reloads of authorization configuration split by status and apiserver identity.',
    ['apiserver_id_hash', 'status'],
  ),
  apiserver_authorization_decisions_total: counter(
    'ALPHA',
    'Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
    ['decision', 'name', 'type'],
  ),
  apiserver_authorization_match_condition_evaluation_errors_total: counter(
    'ALPHA',
    'Total number of errors when an authorization webhook encounters a match condition error split by authorizer type and name.',
    ['name', 'type'],
  ),
  apiserver_authorization_match_condition_evaluation_seconds: histogram(
    'ALPHA',
    'Authorization match condition evaluation time in seconds, split by authorizer type and name.',
    ['name', 'type'],
    [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
  ),
  apiserver_authorization_match_condition_exclusions_total: counter(
    'ALPHA',
    'Total number of exclusions when an authorization webhook is skipped because match conditions exclude it.',
    ['name', 'type'],
  ),
  apiserver_authorization_webhook_duration_seconds: histogram(
    'ALPHA',
    'Request latency in seconds.',
    ['name', 'result'],
    DEFAULT_BUCKETS,
  ),
  apiserver_authorization_webhook_evaluations_fail_open_total: counter(
    'ALPHA',
    'NoOpinion results due to webhook timeout or error.',
    ['name', 'result'],
  ),
  apiserver_authorization_webhook_evaluations_total: counter(
    'ALPHA',
    'Round-trips to authorization webhooks.',
    ['name', 'result'],
  ),
  apiserver_client_certificate_expiration_seconds: histogram(
    'ALPHA',
    'Distribution of the remaining lifetime on the certificate used to authenticate a request.',
    [],
    [
      0, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 345600, 604800, 2592000, 7776000, 15552000,
      31104000,
    ],
  ),
  authenticated_user_requests: counter(
    'ALPHA',
    'Counter of authenticated requests broken out by username.',
    ['username'],
  ),
  authentication_attempts: counter('ALPHA', 'Counter of authenticated attempts.', ['result']),
  authentication_duration_seconds: histogram(
    'ALPHA',
    'Authentication duration in seconds broken out by result.',
    ['result'],
    exponential(0.001, 2, 15),
  ),
  authorization_attempts_total: counter(
    'ALPHA',
    "Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
    ['result'],
  ),
  authorization_duration_seconds: histogram(
    'ALPHA',
    'Authorization duration in seconds broken out by result.',
    ['result'],
    exponential(0.001, 2, 15),
  ),
  serviceaccount_invalid_legacy_auto_token_uses_total: counter(
    'ALPHA',
    'Cumulative invalid auto-generated legacy tokens used',
  ),
  serviceaccount_legacy_auto_token_uses_total: counter(
    'ALPHA',
    'Cumulative auto-generated legacy tokens used',
  ),
  serviceaccount_legacy_manual_token_uses_total: counter(
    'ALPHA',
    'Cumulative manually created legacy tokens used',
  ),
  serviceaccount_legacy_tokens_total: counter(
    'ALPHA',
    'Cumulative legacy service account tokens used',
  ),
  serviceaccount_stale_tokens_total: counter(
    'ALPHA',
    'Cumulative stale projected service account tokens used',
  ),
  serviceaccount_valid_tokens_total: counter(
    'ALPHA',
    'Cumulative valid projected service account tokens used',
  ),
} as const
