/**
 * Tools for threads: confining objects to one thread, and what a thread asks of the operating system.
 */
@NullMarked
package dev.escapement.state.thread;

import org.jspecify.annotations.NullMarked;
