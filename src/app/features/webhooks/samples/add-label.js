// Called with the request of each AdmissionReview. A returned array is a JSON Patch.
function admit({ object, operation, userInfo }) {
  console.log(operation, object.kind, object.metadata.name, 'by', userInfo.username)
  const labels = object.metadata.labels ? [] : [{ op: 'add', path: '/metadata/labels', value: {} }]
  return [...labels, { op: 'add', path: '/metadata/labels/seen-by', value: 'my-webhook' }]
}
