/**
 * What threads that tick and threads that draw have in common: confinement of objects to one thread, waiting for the end of a thread, and
 * the first failure.
 */
@NullMarked
package dev.escapement.state.thread;

import org.jspecify.annotations.NullMarked;
