// Nothing or true allows; false denies, and a string denies with a reason.
// An object is the response itself: allowed, status, warnings, auditAnnotations.
function admit({ object }) {
  const { owner } = object.metadata.labels ?? {}
  if (owner === undefined) return 'every object here needs the label "owner"'
  return {
    allowed: true,
    warnings: owner === 'none' ? ['"none" is a strange owner'] : [],
    auditAnnotations: { owner },
  }
}
