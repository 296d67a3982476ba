out vec2 at;

// A rectangle that fills the viewport; the image's first row is the upper one. Counterclockwise as seen on the screen.
void main() {
    at = vec2(gl_VertexID >> 1, gl_VertexID & 1);
    gl_Position = vec4(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y, 0.0, 1.0);
}
