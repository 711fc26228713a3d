/**
 * cel-go checks the operand of such a macro twice, and its type parameter differs the second time:
 * an error in 1.31.
 */
const OPEN_TYPE = 'the release has no optMap or optFlatMap of what has an open type'

const BAD_KEY = 'cel-go 0.20 rejects constant keys of other types before any evaluation'
const PAST_THE_END = 'nothing is found past the end since 1.33 (recorded: cel-strings)'
const NO_FIELD = 'an optional path of cel-go 0.20 ends where a value has no fields'

/**
 * Conformance cases with another result, and the reason. Kubernetes 1.31 has an older version of
 * CEL than the cases. A name with a trailing `/` includes all cases below it.
 */
export const UNSUPPORTED_CASES: Readonly<Record<string, string>> = {
  'bindings_ext/': 'cel.bind is not in the server',
  'block_ext/': 'cel.block is not in the server',
  'encoders_ext/': 'base64 is not in the server',
  'math_ext/': 'the math library is not in the server',
  'fields/quoted_map_fields/': 'names in backquotes come later',
  'fields/qualified_identifier_resolution/map_value_repeat_key':
    'the last of equal keys counts (recorded: cel-lists-maps)',
  'fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous':
    'the last of equal keys counts',
  'fields/qualified_identifier_resolution/map_key_float':
    'literals of maps take keys of any type in the release, as the reference implementation does',
  'fields/map_fields/map_bad_key_type_or_true': BAD_KEY,
  'fields/map_fields/map_bad_key_type_and_false': BAD_KEY,
  'optionals/optionals/map_null_entry_no_such_key': NO_FIELD,
  'optionals/optionals/map_present_key_invalid_field': NO_FIELD,
  'optionals/optionals/none_optMap_hasValue': OPEN_TYPE,
  'optionals/optionals/empty_map_optFlatMap_hasValue': OPEN_TYPE,
  'optionals/optionals/map_empty_submap_optFlatMap_hasValue': OPEN_TYPE,
  'string_ext/last_index_of/empty_string':
    'the release finds no place in an empty text to begin at',
  'string_ext/value_errors/indexof_out_of_range': PAST_THE_END,
  'string_ext/value_errors/lastindexof_out_of_range': PAST_THE_END,
  'string_ext/format/':
    'format writes exponents, and values in lists and maps, as the release did (recorded: cel-format)',
}
