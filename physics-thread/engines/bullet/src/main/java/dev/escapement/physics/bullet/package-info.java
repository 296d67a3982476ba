/**
 * A simulation around an existing space of Bullet, a native engine in C++, through its binding Libbulletjme; also for jMonkeyEngine with
 * Minie.
 *
 * <p>Start reading at {@link dev.escapement.physics.bullet.BulletWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.bullet;

import org.jspecify.annotations.NullMarked;
