import { counter, DEFAULT_BUCKETS, exponential, histogram, summary } from './family'

const ADMISSION_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5]

export const ADMISSION_FAMILIES = {
  apiserver_admission_controller_admission_duration_seconds: histogram(
    'STABLE',
    'Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
    ['name', 'operation', 'rejected', 'type'],
    ADMISSION_SECONDS,
  ),
  apiserver_admission_match_condition_evaluation_errors_total: counter(
    'ALPHA',
    'Admission match condition evaluation errors count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
    ['kind', 'name', 'operation', 'type'],
  ),
  apiserver_admission_match_condition_evaluation_seconds: histogram(
    'ALPHA',
    'Admission match condition evaluation time in seconds, identified by name and broken out for each kind containing matchConditions (webhook or policy), operation and type (validate or admit).',
    ['kind', 'name', 'operation', 'type'],
    [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
  ),
  apiserver_admission_match_condition_exclusions_total: counter(
    'ALPHA',
    'Admission match condition evaluation exclusions count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
    ['kind', 'name', 'operation', 'type'],
  ),
  apiserver_admission_step_admission_duration_seconds: histogram(
    'STABLE',
    'Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).',
    ['operation', 'rejected', 'type'],
    ADMISSION_SECONDS,
  ),
  apiserver_admission_step_admission_duration_seconds_summary: summary(
    'ALPHA',
    'Admission sub-step latency summary in seconds, broken out for each operation and API resource and step type (validate or admit).',
    ['operation', 'rejected', 'type'],
    [0.5, 0.9, 0.99],
  ),
  apiserver_admission_webhook_admission_duration_seconds: histogram(
    'STABLE',
    'Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
    ['name', 'operation', 'rejected', 'type'],
    [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
  ),
  apiserver_admission_webhook_fail_open_count: counter(
    'ALPHA',
    'Admission webhook fail open count, identified by name and broken out for each admission type (validating or mutating).',
    ['name', 'type'],
  ),
  apiserver_admission_webhook_rejection_count: counter(
    'ALPHA',
    'Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
    ['error_type', 'name', 'operation', 'rejection_code', 'type'],
  ),
  apiserver_admission_webhook_request_total: counter(
    'ALPHA',
    'Admission webhook request total, identified by name and broken out for each admission type (validating or mutating) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
    ['code', 'name', 'operation', 'rejected', 'type'],
  ),
  apiserver_cel_compilation_duration_seconds: histogram(
    'BETA',
    'CEL compilation time in seconds.',
    [],
    DEFAULT_BUCKETS,
  ),
  apiserver_cel_evaluation_duration_seconds: histogram(
    'BETA',
    'CEL evaluation time in seconds.',
    [],
    DEFAULT_BUCKETS,
  ),
  apiserver_conversion_webhook_duration_seconds: histogram(
    'ALPHA',
    'Conversion webhook request latency',
    ['failure_type', 'result'],
    [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
  ),
  apiserver_conversion_webhook_request_total: counter(
    'ALPHA',
    'Counter for conversion webhook requests with success/failure and failure error type',
    ['failure_type', 'result'],
  ),
  apiserver_crd_conversion_webhook_duration_seconds: histogram(
    'ALPHA',
    'CRD webhook conversion duration in seconds',
    ['crd_name', 'from_version', 'succeeded', 'to_version'],
    exponential(0.001, 2, 15),
  ),
  apiserver_validating_admission_policy_check_duration_seconds: histogram(
    'BETA',
    'Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
    ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
    [5e-7, 0.001, 0.01, 0.1, 1],
  ),
  apiserver_validating_admission_policy_check_total: counter(
    'BETA',
    'Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
    ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
  ),
  pod_security_errors_total: counter(
    'ALPHA',
    'Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.',
    ['fatal', 'request_operation', 'resource', 'subresource'],
  ),
  pod_security_evaluations_total: counter(
    'ALPHA',
    'Number of policy evaluations that occurred, not counting ignored or exempt requests.',
    [
      'decision',
      'mode',
      'policy_level',
      'policy_version',
      'request_operation',
      'resource',
      'subresource',
    ],
  ),
  pod_security_exemptions_total: counter(
    'ALPHA',
    'Number of exempt requests, not counting ignored or out of scope requests.',
    ['request_operation', 'resource', 'subresource'],
  ),
} as const
