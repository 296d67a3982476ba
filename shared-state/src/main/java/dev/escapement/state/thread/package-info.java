/**
 * Tools for threads: confining objects to one thread, what a thread asks of the operating system, and what it gets of it.
 */
@NullMarked
package dev.escapement.state.thread;

import org.jspecify.annotations.NullMarked;
