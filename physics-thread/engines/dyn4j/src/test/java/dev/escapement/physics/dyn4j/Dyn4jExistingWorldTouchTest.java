package dev.escapement.physics.dyn4j;

import dev.escapement.physics.world.ExistingWorldTouchContract;
import org.dyn4j.dynamics.Body;
import org.dyn4j.world.World;
import org.jspecify.annotations.NullMarked;

@NullMarked
class Dyn4jExistingWorldTouchTest extends ExistingWorldTouchContract<World<Body>, Body>
        implements Dyn4jExistingWorlds {}
