/**
 * The life of a service: begin, slices, failure, end.
 *
 * <p>Start reading at {@code Lifecycle}. {@code OwnThread} is the thread of a service without a host. {@code Abandonment} fails a run whose
 * thread hangs.
 */
@NullMarked
package dev.escapement.physics.lifecycle;

import org.jspecify.annotations.NullMarked;
