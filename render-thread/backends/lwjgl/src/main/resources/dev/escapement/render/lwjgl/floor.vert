uniform mat4 worldToClip;
uniform float floorHalfExtent;
out vec3 world;

void main() {
    vec2 sides = vec2((gl_VertexID & 1) * 2 - 1, 1 - (gl_VertexID & 2));
    world = vec3(sides.x, 0.0, sides.y) * floorHalfExtent;
    gl_Position = worldToClip * vec4(world, 1.0);
}
