/**
 * Tools for threads: confining objects to one thread, waiting for the end of a thread, and keeping the first failure.
 */
@NullMarked
package dev.escapement.state.thread;

import org.jspecify.annotations.NullMarked;
