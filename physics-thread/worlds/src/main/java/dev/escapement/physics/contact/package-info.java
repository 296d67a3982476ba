/**
 * Turns "these bodies touch in this step", as engines report it, into contacts that begin and end.
 *
 * <p>Start reading at {@link dev.escapement.physics.contact.ContactPairs}.
 */
@NullMarked
package dev.escapement.physics.contact;

import org.jspecify.annotations.NullMarked;
