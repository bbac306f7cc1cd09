// Files that the page hands to its visitor.

/** Saves a text as a file.
 * @param {string} name
 * @param {string} text
 */
export function saveText(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
