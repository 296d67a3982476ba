/**
 * Turns the touching bodies that engines report in each step into contacts that begin and end.
 *
 * <p>Start reading at {@link dev.escapement.physics.contact.ContactPairs}.
 */
@NullMarked
package dev.escapement.physics.contact;

import org.jspecify.annotations.NullMarked;
